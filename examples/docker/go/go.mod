module example.com/payments

go 1.19

require github.com/testcontainers/testcontainers-go v0.34.0
